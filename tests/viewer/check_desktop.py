#!/usr/bin/env python3
# check_desktop.py - desktop entry, AppStream data and icon of the viewer belong together, and are valid
# SPDX-License-Identifier: MIT
#
#   check_desktop.py APP_ID METAINFO DESKTOP ICON VERSION
#
# appstreamcli and desktop-file-validate are asked where there are any.
import configparser
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

app, metainfo, desktop, icon, version = sys.argv[1:]
entry = configparser.RawConfigParser(delimiters='=')
entry.optionxform = str
entry.read(desktop)
entry = entry['Desktop Entry']
root = xml.parse(metainfo).getroot()
assert root.find('id').text == app and app.count('.') >= 2, root.find('id').text
assert root.find('launchable').text == app + '.desktop' and os.path.basename(metainfo) == app + '.metainfo.xml'
assert root.find('provides/binary').text == entry['Exec'].split()[0] == 'afterglow-viewer'
assert root.find('name').text == entry['Name'] and root.find('releases/release').get('version') == version
assert os.path.basename(icon) == entry['Icon'] + '.svg'
view = [float(v) for v in xml.parse(icon).getroot().get('viewBox').split()]
assert view[2] == view[3], 'an icon is a square: %s' % view
print('ids, names, version and icon agree')
with tempfile.TemporaryDirectory() as folder:
    named = shutil.copy(desktop, os.path.join(folder, app + '.desktop'))
    for tool, arguments in (('appstreamcli', ['validate', '--no-net', metainfo]), ('desktop-file-validate', [named])):
        if shutil.which(tool):
            subprocess.run([tool, *arguments], check=True)
        print('%s: %s' % (tool, 'passed' if shutil.which(tool) else 'not there'))

// build.rs - links libafterglow: where AFTERGLOW_LIB_DIR says, or where pkg-config finds it
// SPDX-License-Identifier: MIT
use std::env;
use std::process::Command;

fn main() {
    for name in [
        "AFTERGLOW_LIB_DIR",
        "AFTERGLOW_STATIC",
        "PKG_CONFIG",
        "PKG_CONFIG_PATH",
        "PKG_CONFIG_LIBDIR",
        "DOCS_RS",
    ] {
        println!("cargo:rerun-if-env-changed={}", name);
    }
    if env::var_os("DOCS_RS").is_some() {
        return; // its machines have no library, and only read the sources
    }
    let fixed = env::var_os("AFTERGLOW_STATIC").is_some();
    let kind = if fixed { "static" } else { "dylib" };
    if let Ok(folder) = env::var("AFTERGLOW_LIB_DIR") {
        println!("cargo:rustc-link-search=native={}", folder);
        println!("cargo:rustc-link-lib={}=afterglow", kind);
        return;
    }
    let program = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".into());
    let said = match Command::new(&program)
        .args(["--libs", "afterglow"])
        .output()
    {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
        Ok(output) => panic!("{}\n{}", String::from_utf8_lossy(&output.stderr), HELP),
        Err(error) => panic!("{}: {}\n{}", program, error, HELP),
    };
    for word in said.split_whitespace() {
        if let Some(folder) = word.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={}", folder);
        } else if word == "-lafterglow" {
            println!("cargo:rustc-link-lib={}=afterglow", kind);
        }
    }
}

const HELP: &str = "libafterglow is not installed where pkg-config looks: set AFTERGLOW_LIB_DIR to its folder, or \
PKG_CONFIG_PATH to that of afterglow.pc";

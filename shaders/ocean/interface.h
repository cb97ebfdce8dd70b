#include "fft/interface_ocean.h"

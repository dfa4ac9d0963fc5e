// Access of a device to the memory of another device.

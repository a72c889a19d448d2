// Finds the Chromium of the system, for the tests and the pictures of the page. `chromium-headless-shell`, which draws no
// window, needs half the time of `chromium`. Both are packages of Debian.
import { existsSync } from 'node:fs';

const shell = '/usr/bin/chromium-headless-shell';

export const chromiumPath = existsSync(shell) ? shell : '/usr/bin/chromium';

// Runs before each file of this folder: the files of a worker share their modules, but not the browser.
import { afterAll } from 'vitest';
import { closeBrowser } from './browser.ts';

afterAll(closeBrowser);

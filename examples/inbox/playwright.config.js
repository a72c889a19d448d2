// CHROMIUM: the browser of the system; by default, that of `npx playwright install chromium`.
export default { use: { launchOptions: { executablePath: process.env.CHROMIUM } } };

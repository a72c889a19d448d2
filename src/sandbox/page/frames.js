// Adapts the frames of e-mails: as high as their content, up to a limit, with the chosen colors. The content runs no script.
(() => {
  const maxHeight = 20_000;
  const all = () => document.querySelectorAll('.email iframe');

  const setHeight = (frame) => {
    const root = frame.contentDocument?.documentElement;
    if (!root || frame.contentDocument.URL === 'about:blank') return;
    const scroller = frame.closest('.detail');
    const places = [scroller?.scrollTop, scrollY];
    // No height first: content that is as high as its window would keep the frame high.
    frame.style.height = '0';
    const height = Math.max(root.scrollHeight, frame.contentDocument.body?.scrollHeight ?? 0);
    frame.style.height = `${Math.min(height, maxHeight) + 2}px`;
    if (scroller) scroller.scrollTop = places[0];
    if (scrollY !== places[1]) scrollTo(0, places[1]);
  };

  // The queries of an e-mail would otherwise follow the settings of the browser.
  const originals = new WeakMap();
  const choose = (media, colors) => {
    if (!originals.has(media)) originals.set(media, media.mediaText);
    media.mediaText = originals
      .get(media)
      .replace(/\(\s*prefers-color-scheme\s*:\s*(\w+)\s*\)/g, (_, name) =>
        name === colors ? '(min-width: 0px)' : '(max-width: 0px)',
      );
  };
  const chooseInRules = (rules, colors) => {
    for (const rule of rules) {
      if (rule.media) choose(rule.media, colors);
      if (rule.cssRules) chooseInRules(rule.cssRules, colors);
    }
  };
  const applyColors = (frame) => {
    const { contentDocument } = frame;
    if (!contentDocument?.documentElement) return;
    const isDark = frame.closest('.email').querySelector('[value="dark"]').checked;
    const colors = isDark ? 'dark' : 'light';
    for (const sheet of contentDocument.styleSheets) {
      choose(sheet.media, colors);
      chooseInRules(sheet.cssRules, colors);
    }
    const root = contentDocument.documentElement;
    root.style.colorScheme = '';
    const supported = getComputedStyle(root).colorScheme;
    const meta = contentDocument.querySelector('meta[name="color-scheme"]')?.content ?? '';
    if (/dark/.test(`${supported} ${meta}`)) root.style.colorScheme = colors;
  };

  // Loading does not bubble.
  const adapt = (frame) => {
    applyColors(frame);
    setHeight(frame);
  };
  document.addEventListener(
    'load',
    ({ target }) => target.matches?.('.email iframe') && adapt(target),
    true,
  );
  document.addEventListener('change', ({ target }) => {
    if (!target.closest('.email')) return;
    all().forEach(applyColors);
    setTimeout(() => all().forEach(setHeight), 250);
  });
  addEventListener('resize', () => all().forEach(setHeight));
  all().forEach(adapt);
})();

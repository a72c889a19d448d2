// The icons of the page: drawn once per document, used by name.

const shapes = {
  home: 'M3 9.500 10 3.500l7 6M5 8v8.500h10V8M8.500 16.500V12h3v4.500',
  person:
    'M10 3a3.300 3.300 0 1 0 0 6.600A3.300 3.300 0 0 0 10 3M3.500 17c0-3.600 2.800-5.500 6.500-5.500s6.500 1.900 6.500 5.500',
  email: 'M2.5 4.5h15v11h-15zM3 5l7 6 7-6',
  in_app:
    'M10 2.5a4.5 4.5 0 0 0-4.5 4.5c0 5-2 6-2 7h13c0-1-2-2-2-7A4.5 4.5 0 0 0 10 2.5M8 16.5a2 2 0 0 0 4 0',
  sms: 'M3 4h14v9.5H9.5L6 17v-3.5H3zM7 8.8h.01M10 8.8h.01M13 8.8h.01',
  push: 'M6.5 2.5h7a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1M9 15h2',
  chat: 'M7.5 3 6 17M14 3l-1.5 14M3.5 7.500h13.500M3 12.500h13.5',
  digest: 'm10 3 7 3.5-7 3.5-7-3.500zM3 10l7 3.5 7-3.500M3 13.5 10 17l7-3.5',
  delay:
    'M5 2.500h10M5 17.500h10M6 2.500c0 4 4 5 4 7.500s-4 3.5-4 7.500M14 2.500c0 4-4 5-4 7.500s4 3.5 4 7.5',
  throttle: 'M3 4h14l-5.5 6.500V16l-3 1.500v-7z',
  custom: 'm7 6-4 4 4 4M13 6l4 4-4 4',
  trigger: 'M11 2.5 4.5 11H10l-1 6.500L15.5 9H10z',
  request: 'M4 7h11.500M12.500 4l3 3-3 3M16 13H4.500M7.500 10l-3 3 3 3',
  clock: 'M10 2.500a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M10 6v4.200l2.8 1.8',
  search: 'M8.5 3a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M12.5 12.5 17 17',
  again: 'M15.500 8A6 6 0 1 0 16 11.500M16 3.500V8h-4.500',
  light:
    'M10 6.500a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M10 2v1.500M10 16.500V18M2 10h1.500M16.500 10H18M4.300 4.300l1.100 1.100M14.600 14.600l1.100 1.100M15.700 4.300l-1.100 1.100M5.400 14.600l-1.100 1.100',
  dark: 'M16.500 11.700A7 7 0 0 1 8.300 3.500a7 7 0 1 0 8.200 8.200',
  system: 'M10 2.500a7.5 7.5 0 1 0 0 15zM10 2.500a7.5 7.5 0 0 1 0 15',
  trash: 'M4 5.500h12M8 5.500v-2h4v2M5.500 5.500l.7 11h7.600l.7-11',
  back: 'm12 4-6 6 6 6',
  link: 'M8 5H4.500v10.500H15V12M11 4h5v5M16 4l-7 7',
} as const;

export type IconName = keyof typeof shapes;

const isIconName = (name: string): name is IconName => Object.hasOwn(shapes, name);

export const Icons = () => (
  <svg xmlns="http://www.w3.org/2000/svg" class="sprite" aria-hidden="true">
    {Object.entries(shapes).map(([name, path]) => (
      <symbol id={`icon-${name}`} viewBox="0 0 20 20">
        <path d={path} />
      </symbol>
    ))}
  </svg>
);

/** Decoration: the text beside it says the same. */
export const Icon = ({ name }: { name: string }) => (
  <svg class="icon" aria-hidden="true">
    <use href={`#icon-${isIconName(name) ? name : 'custom'}`} />
  </svg>
);

/** The icon of a channel or step on its color. */
export const Badge = ({ type }: { type: string }) => (
  <span class={`badge ${isIconName(type) ? type : 'custom'}`}>
    <Icon name={type} />
  </span>
);

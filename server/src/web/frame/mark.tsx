// The mark: cards on a shelf. The same drawing as assets/mark.svg, in the colour of the text around it.

export const Mark = () => (
  <svg viewBox="0 0 24 24" width="24" height="24" fill="currentColor" aria-hidden="true">
    <rect x="3" y="3" width="4.5" height="15" rx="1" />
    <rect x="8.75" y="6.5" width="4.5" height="11.5" rx="1" />
    <rect x="15" y="5" width="4.5" height="13" rx="1" transform="rotate(-14 19.5 18)" />
    <rect x="1.5" y="19.5" width="21" height="2" rx="1" />
  </svg>
);

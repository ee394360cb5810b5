// Hand-drawn icons on a grid of 20, in the colour of the surrounding text. They only repeat the words beside them.
import { type Children, type Html, rawHtml, renderToString } from "#lib/jsx-runtime.js";

const shapes = {
  search: <path d="M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Zm4 9.5 4 4" />,
  bell: <path d="M4.5 14h11l-1.3-2V8.5a4.2 4.2 0 0 0-8.4 0V12L4.5 14Zm3.6 2.2a2 2 0 0 0 3.8 0" />,
  download: <path d="M10 3v9.5m0 0 3.7-3.7M10 12.5 6.3 8.8M3.5 16.5h13" />,
  heart: <path d="M10 16.5 3.9 10.3a3.7 3.7 0 0 1 5.3-5.2l.8.8.8-.8a3.7 3.7 0 0 1 5.3 5.2L10 16.5Z" />,
  bookmark: <path d="M5.5 3.5h9v13L10 13l-4.5 3.5v-13Z" />,
  clock: <path d="M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm0 3.2V10l2.7 1.8" />,
  check: <path d="m4 10.5 4 4 8-9" />,
  cross: <path d="m5 5 10 10M15 5 5 15" />,
  plus: <path d="M10 4v12M4 10h12" />,
  copy: <path d="M7.5 7.5h9v9h-9zM4.5 12.5h-1v-9h9v1" />,
  link: (
    <path d="M8.5 11.5a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2l-1 1m1 3.2a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2l1-1" />
  ),
  flag: <path d="M5 17V3.5h10l-2.2 3.2L15 10H5" />,
  edit: <path d="m4 16 .8-3.4L13.3 4l2.7 2.7-8.6 8.5L4 16Z" />,
  trash: <path d="M4 5.5h12M8 5.5v-2h4v2m-6.5 0 .8 11h7.4l.8-11" />,
  upload: <path d="M10 13V3.5m0 0L6.3 7.2M10 3.5l3.7 3.7M3.5 16.5h13" />,
  warning: <path d="M10 3.5 2.8 16.2h14.4L10 3.5Zm0 5v3.6m0 2.2v.1" />,
  lock: <path d="M5 9h10v7.5H5V9Zm2-.2V6.5a3 3 0 0 1 6 0v2.3" />,
  user: <path d="M10 3.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM4 16.5a6 6 0 0 1 12 0" />,
  group: (
    <path d="M7 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM2.5 16a4.5 4.5 0 0 1 9 0m1.3-10.8a2.3 2.3 0 0 1 0 4.3m1.2 2.2a4.4 4.4 0 0 1 3.5 4.3" />
  ),
  filter: <path d="M3 5h14M6 10h8M8.5 15h3" />,
  list: <path d="M3.5 5h3v3h-3zm0 7h3v3h-3zM10 5.5h6.5M10 8h4m-4 4.5h6.5M10 15h4" />,
  compact: <path d="M3.5 5h13M3.5 8.3h13M3.5 11.7h13M3.5 15h13" />,
  gallery: <path d="M3.5 4h5.5v5.5H3.5zM11 4h5.5v5.5H11zM3.5 11.5h5.5V16H3.5zm7.5 0h5.5V16H11z" />,
  left: <path d="M12.5 4.5 7 10l5.5 5.5" />,
  right: <path d="M7.5 4.5 13 10l-5.5 5.5" />,
  down: <path d="M4.5 7.5 10 13l5.5-5.5" />,
  more: <path d="M4.5 10h.1M10 10h.1M15.5 10h.1" />,
} as const;

export type IconName = keyof typeof shapes;

const draw = (shape: Children): Html =>
  rawHtml(
    renderToString(
      <svg
        class="icon"
        viewBox="0 0 20 20"
        width="20"
        height="20"
        fill="none"
        stroke="currentColor"
        stroke-width="1.75"
        stroke-linecap="round"
        stroke-linejoin="round"
        aria-hidden="true"
      >
        {shape}
      </svg>,
    ),
  );

/** They are the same on every page, and a page has dozens of them. */
const drawn = Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, draw(shape)])) as Record<
  IconName,
  Html
>;

export const Icon = ({ name }: { name: IconName }) => drawn[name];

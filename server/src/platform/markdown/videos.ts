// Videos on other sites, as cards: a link to the video with its picture. A script replaces the card by a player after a
// click (web/scripts/site/videos.ts), so that no visitor contacts the other site before.

interface VideoSite {
  /** The id of the video in a URL of its page or player. */
  readonly address: RegExp;
  readonly page: (id: string) => string;
  readonly player: (id: string) => string;
  /** A picture of the video, where it has a fixed URL. */
  readonly picture?: (id: string) => string;
}

export const videoSites: Readonly<Record<string, VideoSite>> = {
  youtube: {
    address:
      /^https?:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[\w=&-]{0,100}&)?v=|embed\/|shorts\/|live\/)|youtu\.be\/)([\w-]{11})(?![\w-])/,
    page: (id) => `https://www.youtube.com/watch?v=${id}`,
    player: (id) => `https://www.youtube-nocookie.com/embed/${id}?autoplay=1`,
    picture: (id) => `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
  },
  vimeo: {
    address: /^https?:\/\/(?:(?:www\.)?vimeo\.com\/|player\.vimeo\.com\/video\/)(\d{5,12})(?!\d)/,
    page: (id) => `https://vimeo.com/${id}`,
    player: (id) => `https://player.vimeo.com/video/${id}?autoplay=1&dnt=1`,
  },
  bilibili: {
    address:
      /^https?:\/\/(?:(?:www\.|m\.)?bilibili\.com\/video\/|player\.bilibili\.com\/player\.html\?(?:[\w=&-]{0,100}&)?bvid=)(BV\w{10})(?!\w)/,
    page: (id) => `https://www.bilibili.com/video/${id}`,
    player: (id) => `https://player.bilibili.com/player.html?bvid=${id}&autoplay=1`,
  },
};

export interface Video {
  /** "youtube/dQw4w9WgXcQ" */
  name: string;
  page: string;
  picture: string | undefined;
}

export function findVideo(address: string): Video | undefined {
  for (const [site, { address: pattern, page, picture }] of Object.entries(videoSites)) {
    const id = pattern.exec(address)?.[1];
    if (id !== undefined) return { name: `${site}/${id}`, page: page(id), picture: picture?.(id) };
  }
  return undefined;
}

/** A link with nothing beside it in its paragraph, or one that was a frame. There is no other link inside. */
const aloneInParagraph = /<p(?: align="[a-z]+")?>\s*<a href="([^"<>]*)"[^<>]*>((?:[^<]|<(?!\/?a[ >]))*)<\/a>\s*<\/p>/g;
const wasFrame = /<a href="([^"<>]*)"[^<>]* class="video">([^<]*)<\/a>/g;

/** The input has passed the allow-list: tags are well-formed, text is escaped. */
export const withVideoCards = (html: string): string =>
  html
    .replace(aloneInParagraph, (whole, href: string, inner: string) => toCard(href, inner) ?? whole)
    .replace(wasFrame, (whole, href: string, inner: string) => toCard(href, inner) ?? whole);

function toCard(href: string, inner: string): string | undefined {
  const video = findVideo(href.replaceAll("&amp;", "&"));
  if (!video) return undefined;
  const start = `<span class="video-card"><a href="${video.page}" rel="ugc nofollow noopener" data-video="${video.name}">`;
  const end = "</a></span>";
  // An author may have chosen a picture.
  if (inner.includes("<img")) return start + inner + end;
  const picture = video.picture === undefined ? "" : `<img data-remote="${video.picture}" alt="" />`;
  return `${start}${picture}<span class="video-title">${inner.replace(/^https?:\/\/(?:www\.)?/, "")}</span>${end}`;
}

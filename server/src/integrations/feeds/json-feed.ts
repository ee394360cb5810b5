// Writes a feed as JSON Feed 1.1.
import { addressOf, type Feed, type FeedEntry } from "./feed.js";

export const toJsonFeed = (feed: Feed, siteUrl: string): string =>
  JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: feed.title,
    description: feed.description,
    home_page_url: feed.pageUrl,
    feed_url: addressOf(feed, siteUrl, "json"),
    ...(feed.image && { icon: feed.image }),
    items: feed.entries.map(toItem),
  });

const toItem = ({ id, url, title, text, time, author, tags, image, file }: FeedEntry) => ({
  id,
  url,
  title,
  // The format requires content.
  content_text: text === "" ? title : text,
  date_published: new Date(time).toISOString(),
  ...(image && { image }),
  ...(author && { authors: [author] }),
  tags,
  ...(file && { attachments: [{ url: file.url, mime_type: file.type, title: file.name, size_in_bytes: file.size }] }),
});

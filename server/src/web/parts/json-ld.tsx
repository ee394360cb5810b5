// Data about the page for search engines. It is data, not script, but the browser finds its end by the same letters.

export const JsonLd = ({ data }: { data: Record<string, unknown> }) => (
  <script
    type="application/ld+json"
    dangerouslySetInnerHTML={{
      __html: JSON.stringify({ "@context": "https://schema.org", ...data }).replaceAll("<", "\\u003c"),
    }}
  />
);

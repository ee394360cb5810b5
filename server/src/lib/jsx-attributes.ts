// The elements and attributes that pages use, by their names in HTML and SVG. A name that is not here is a mistake, or is
// added here.

export type TagName =
  | (
      | "a"
      | "article"
      | "aside"
      | "b"
      | "bdi"
      | "blockquote"
      | "body"
      | "br"
      | "button"
      | "caption"
      | "code"
      | "datalist"
    )
  | ("dd" | "del" | "details" | "dialog" | "div" | "dl" | "dt" | "em" | "fieldset" | "figcaption" | "figure" | "footer")
  | (
      | "form"
      | "h1"
      | "h2"
      | "h3"
      | "h4"
      | "head"
      | "header"
      | "hr"
      | "html"
      | "i"
      | "img"
      | "input"
      | "ins"
      | "kbd"
      | "label"
    )
  | (
      | "legend"
      | "li"
      | "link"
      | "main"
      | "meta"
      | "meter"
      | "nav"
      | "noscript"
      | "ol"
      | "optgroup"
      | "option"
      | "output"
    )
  | ("p" | "pre" | "progress" | "script" | "search" | "section" | "select" | "small" | "span" | "strong" | "summary")
  | (
      | "table"
      | "tbody"
      | "td"
      | "template"
      | "textarea"
      | "tfoot"
      | "th"
      | "thead"
      | "time"
      | "title"
      | "tr"
      | "ul"
      | "wbr"
    )
  | ("desc" | "line" | "path" | "rect" | "svg" | "use");

type Text = string | number | null | undefined;
type Flag = boolean | null | undefined;

type Texts =
  | ("id" | "class" | "dir" | "lang" | "title" | "role" | "tabindex" | "popover" | "property" | "name" | "content")
  | (
      | "href"
      | "hreflang"
      | "target"
      | "rel"
      | "as"
      | "crossorigin"
      | "type"
      | "src"
      | "alt"
      | "width"
      | "height"
      | "loading"
      | "fetchpriority"
      | "decoding"
      | "charset"
    )
  | ("action" | "method" | "enctype" | "formaction" | "value" | "placeholder" | "autocomplete" | "autocapitalize")
  | ("inputmode" | "accept" | "list" | "min" | "max" | "step" | "minlength" | "maxlength" | "pattern" | "rows" | "cols")
  | (
      | "for"
      | "form"
      | "label"
      | "scope"
      | "start"
      | "color"
      | "colspan"
      | "rowspan"
      | "datetime"
      | "popovertarget"
      | "popovertargetaction"
    )
  | (
      | "d"
      | "x"
      | "y"
      | "x1"
      | "x2"
      | "y1"
      | "y2"
      | "rx"
      | "fill"
      | "opacity"
      | "stroke"
      | "stroke-width"
      | "stroke-linecap"
    )
  | ("stroke-linejoin" | "viewBox" | "preserveAspectRatio" | "shape-rendering" | "transform");

type Flags =
  | "checked"
  | "selected"
  | "disabled"
  | "required"
  | "readonly"
  | "multiple"
  | "open"
  | "autofocus"
  | "formnovalidate";

export type Attributes = { [K in Texts]?: Text } & { [K in Flags]?: Flag } & {
  hidden?: Flag | "until-found";
  download?: Text | boolean;
  spellcheck?: Flag;
} & { [K in `aria-${string}` | `data-${string}`]?: Text | boolean };

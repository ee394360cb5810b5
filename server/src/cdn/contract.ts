// The content host: names for stored bytes. Cookies are not looked at, and nothing here can run in a browser.
import Type from "typebox";
import { open } from "../http/access.js";
import { endpoint } from "../http/endpoint.js";
import { Ref } from "../http/schemas.js";

export const getUserPicture = endpoint({
  id: "getUserPicture",
  method: "GET",
  path: "/cdn/data/user/:id/:file",
  access: open,
  rate: "content",
  tag: "Content",
  summary: "Get a user's avatar or profile background",
  params: Type.Object({ id: Ref("User id"), file: Type.String({ minLength: 1, maxLength: 128 }) }),
  answer: { raw: "image/webp", description: "The picture" },
  errors: ["fileNotFound"],
});

// A project's pictures as its team arranges them: add, name, put in order by buttons, feature, remove.

import Type, { type Static } from "typebox";
import { createGalleryItem, updateGalleryItem } from "#content/gallery/contract.js";
import { addPictureToGallery } from "#content/gallery/pictures.js";
import { editGalleryItem, featureGalleryItem, moveGalleryItem, removeGalleryItem } from "#content/gallery/write.js";
import { changeProject } from "#content/projects/change.js";
import type { Tx } from "#platform/changes/write.js";
import { invalid } from "#platform/errors.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import type { SettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { GallerySettings } from "./gallery.js";
import { backTo, type FormCall, type SettingsCall, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

const below = "/settings/gallery";
const itemParams = { id: Ref("Id of the picture in the gallery") };
const pathOf = ({ project }: SettingsView): string => `${projectPath(project.slug)}${below}`;

interface Again {
  problems: FormProblems;
  typed?: Record<string, string | undefined>;
  /** The picture that the problem is about; absent for a new one. */
  itemId?: string;
}

const again = (view: SettingsView, call: SettingsCall, more: Again) => ({
  title: textsIn(texts.projectSettings.frame, call.locale).gallery,
  status: more.problems.status,
  content: <GallerySettings view={view} {...more} />,
});

export const galleryRoutes = [
  settingsPageRoute(
    { id: "getGallerySettingsPage", below, summary: "The form for a project's pictures" },
    async (view, { locale }) => ({
      title: textsIn(texts.projectSettings.frame, locale).gallery,
      content: <GallerySettings view={view} />,
    }),
  ),

  settingsFormRoute(
    {
      id: "submitGalleryPicture",
      once: true,
      below,
      summary: "Add a picture to a project",
      body: formFields("title", "description"),
      files: {
        // Twice what is allowed, so that a picture that is a little too large gets an answer on the page.
        image: { maxBytes: ({ config }) => config.limits.galleryImageBytes * 2, description: "PNG, JPEG, GIF or WebP" },
      },
    },
    async (view, call, resources) => {
      const { image } = call.files;
      const { limits } = resources.config;
      const t = textsIn(texts.projectSettings.gallery, call.locale);
      const problems = await attempt(
        async () => {
          if (!image) throw invalid({ path: "image", message: t.noPicture });
          if (image.bytes.length > limits.galleryImageBytes) throw invalid({ path: "image", message: t.tooLarge });
          const given = { title: nameFor(call.body.title, image.fileName), description: call.body.description ?? "" };
          const input = parse<typeof given>("body", createGalleryItem.body, given, "body");
          await addPictureToGallery(resources, call, image.bytes, { ...input, orderIndex: 0, featured: false });
        },
        { imageUnusable: "image", quotaReached: "image", wrongState: "image" },
      );
      return problems ? again(view, call, { problems, typed: call.body }) : backTo(call.reply, undefined, pathOf(view));
    },
  ),

  settingsFormRoute(
    {
      id: "submitGalleryItem",
      below: `${below}/:id`,
      params: itemParams,
      summary: "Change a picture of a project",
      body: formFields("title", "description", "act"),
    },
    async (view, call, resources) => {
      const problems = await attempt(() => act(call, resources));
      if (problems) return again(view, call, { problems, typed: call.body, itemId: call.params.id });
      return backTo(call.reply, `${pathOf(view)}#img-${call.params.id}`, pathOf(view));
    },
  ),

  settingsPageRoute(
    {
      id: "getRemovePicturePage",
      below: `${below}/:id/remove`,
      params: itemParams,
      summary: "The question whether to remove a picture",
    },
    async (view, { locale, params }) => ({
      title: textsIn(texts.projectSettings.gallery, locale).removeTitle,
      content: <RemovePicture view={view} id={params.id!} />,
    }),
  ),

  settingsFormRoute(
    {
      id: "submitRemovePicture",
      once: true,
      below: `${below}/:id/remove`,
      params: itemParams,
      summary: "Remove a picture of a project",
      body: Type.Object({}),
    },
    async (view, call, resources) => {
      await changeItem(call, resources, (tx, projectId) => removeGalleryItem(tx, projectId, call.params.id!));
      return backTo(call.reply, undefined, pathOf(view));
    },
  ),
];

const changeItem = (
  call: SettingsCall,
  resources: Resources,
  change: (tx: Tx, projectId: string) => Promise<void>,
): Promise<void> => changeProject(resources, call, "edit_details", (tx, { id }) => change(tx, id));

type ItemBody = Static<ReturnType<typeof formFields<"title" | "description" | "act">>>;

/** One form, several buttons. */
async function act(call: FormCall<ItemBody>, resources: Resources): Promise<void> {
  const id = call.params.id!;
  const { title = "", description = "", act: wanted } = call.body;
  if (wanted === "up" || wanted === "down")
    return changeItem(call, resources, (tx, projectId) => moveGalleryItem(tx, projectId, id, wanted));
  if (wanted === "feature" || wanted === "unfeature")
    return changeItem(call, resources, (tx, projectId) => featureGalleryItem(tx, projectId, id, wanted === "feature"));
  const given = { title: title.trim(), description: description.replaceAll("\r\n", "\n") };
  const edit = parse<typeof given>("body", updateGalleryItem.body, given, "body");
  return changeItem(call, resources, (tx, projectId) => editGalleryItem(tx, projectId, id, edit));
}

/** What it was called on its author's disk will do where he gives no name. */
function nameFor(title: string | undefined, fileName: string): string {
  const given = title?.trim() ?? "";
  if (given !== "") return given;
  const stem = fileName
    .replace(/\.[^.]*$/, "")
    .replace(/[-_\s]+/g, " ")
    .replace(/\p{C}/gu, "")
    .trim();
  return [...stem].length >= 2 ? [...stem].slice(0, 32).join("").trim() : "Picture";
}

const RemovePicture = ({ view, id }: { view: SettingsView; id: string }) => {
  const t = useTexts(texts.projectSettings.gallery);
  const item = view.project.gallery.find((one) => one.id === id);
  return (
    <ConfirmForm action={`${pathOf(view)}/${id}/remove`} button={t.remove} back={pathOf(view)}>
      {item && <img class="gallery-thumb" src={item.imageThumbnail} alt={item.name} width={420} height={236} />}
      <p>{t.removeText}</p>
    </ConfirmForm>
  );
};

// The gallery in a project's settings: add several, name, reorder with buttons or by dragging, feature, remove.

import { readFile } from "node:fs/promises";
import Type, { type Static } from "typebox";
import { createGalleryItem, highestIndex, updateGalleryItem } from "#content/gallery/contract.js";
import { addPictureToGallery } from "#content/gallery/pictures.js";
import {
  editGalleryItem,
  featureGalleryItem,
  moveGalleryItem,
  orderGallery,
  removeGalleryItem,
} from "#content/gallery/write.js";
import { changeProject } from "#content/projects/change.js";
import type { Tx } from "#platform/changes/write.js";
import { invalid } from "#platform/errors.js";
import type { StagedFile } from "#platform/http/endpoint.js";
import type { Resources } from "#platform/http/resources.js";
import { Ref } from "#platform/http/schemas.js";
import { parse } from "#platform/http/validation.js";
import { attempt, type FormProblems, formFields } from "#web/context/form.js";
import { projectPath } from "#web/context/project-path.js";
import { useTexts } from "#web/context/texts.js";
import { ConfirmForm } from "#web/parts/confirm-form.js";
import { getSettingsView, type SettingsView } from "#web/shared/settings-view.js";
import { texts, textsIn } from "#words/texts.js";
import { GallerySettings, mostAtOnce } from "./gallery.js";
import { backTo, type FormCall, type SettingsCall, settingsFormRoute, settingsPageRoute } from "./settings-page.js";

const below = "/settings/gallery";
const itemParams = { id: Ref("Id of the picture in the gallery") };
const pathOf = ({ project }: SettingsView): string => `${projectPath(project.slug)}${below}`;

interface Again {
  problems: FormProblems;
  typed?: Record<string, string | undefined>;
  /** The picture that the problem is about; absent for a new one. */
  itemId?: string;
  /** How many pictures of the form were added, if others were not. */
  added?: number;
}

const shown = (
  view: SettingsView,
  call: SettingsCall,
  { config: { limits } }: Resources,
  more: Partial<Again> = {},
) => ({
  title: textsIn(texts.projectSettings.frame, call.locale).gallery,
  status: more.problems?.status,
  scripts: ["reorder"] as const,
  content: <GallerySettings view={view} maxBytes={limits.galleryImageBytes} {...more} />,
});

export const galleryRoutes = [
  settingsPageRoute(
    { id: "getGallerySettingsPage", below, summary: "The form for a project's pictures" },
    async (view, call, resources) => shown(view, call, resources),
  ),

  settingsFormRoute(
    {
      id: "submitGalleryPicture",
      once: true,
      streams: true,
      rate: "upload",
      below,
      summary: "Add pictures to a project",
      body: formFields("title", "description"),
      files: {
        // More than the limits, so that the page can name the pictures that are too large or too many.
        image: {
          maxBytes: ({ config }) => config.limits.galleryImageBytes * 3,
          maxCount: () => mostAtOnce * 2,
          description: "PNG, JPEG, GIF or WebP",
        },
      },
    },
    async (view, call, resources) => {
      const { added, problems } = await addPictures(view, call, resources);
      if (!problems) return backTo(call.reply, undefined, pathOf(view));
      if (added === 0) return shown(view, call, resources, { problems, typed: call.body });
      // The form was carried out in part, so sending it again must not add the same pictures a second time.
      const now = await getSettingsView(resources, call.viewer, call.params.ref);
      return shown(now, call, resources, { problems: { ...problems, status: 200 }, added });
    },
  ),

  settingsFormRoute(
    {
      id: "submitGalleryOrder",
      below: `${below}/order`,
      summary: "Reorder the pictures of a project",
      body: formFields("order"),
    },
    async (view, call, resources) => {
      const ids = (call.body.order ?? "").split(",", highestIndex + 2);
      await changeItem(call, resources, (tx, projectId) => orderGallery(tx, projectId, ids));
      return backTo(call.reply, undefined, pathOf(view));
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
      if (problems) return shown(view, call, resources, { problems, typed: call.body, itemId: call.params.id });
      return backTo(call.reply, `${pathOf(view)}#img-${call.params.id}`, pathOf(view));
    },
  ),

  settingsPageRoute(
    {
      id: "getRemovePicturePage",
      below: `${below}/:id/remove`,
      params: itemParams,
      summary: "Ask for confirmation before a picture is removed",
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

/** Each picture is added or refused on its own. They are shown in the order of the form, before all others. */
async function addPictures(
  view: SettingsView,
  call: FormCall<{ title?: string; description?: string }>,
  resources: Resources,
): Promise<{ added: number; problems?: FormProblems }> {
  const { limits } = resources.config;
  const t = textsIn(texts.projectSettings.gallery, call.locale);
  const files = call.staged.image ?? [];
  const room = limits.galleryImages - view.project.gallery.length;
  const refusals = new Map<StagedFile, FormProblems>();
  // A new picture comes first, so the last one is added first.
  for (const [at, file] of [...files.entries()].reverse()) {
    const problems = await attempt(
      async () => {
        if (at >= mostAtOnce) throw invalid({ path: "image", message: t.tooMany(mostAtOnce) });
        if (at >= room) throw invalid({ path: "image", message: t.full(limits.galleryImages) });
        if (file.blob.size > limits.galleryImageBytes) throw invalid({ path: "image", message: t.tooLarge });
        const given = { title: nameFor(call.body.title, file.name), description: call.body.description ?? "" };
        const input = parse<typeof given>("body", createGalleryItem.body, given, "body");
        const bytes = await readFile(file.blob.path);
        await addPictureToGallery(resources, call, bytes, { ...input, orderIndex: 0, featured: false });
      },
      { imageUnusable: "image", quotaReached: "image", wrongState: "image" },
    );
    if (problems) refusals.set(file, problems);
  }
  const added = files.length - refusals.size;
  if (files.length === 0)
    return { added, problems: { status: 400, message: t.noPicture, fields: { image: t.noPicture } } };
  const [first] = refusals.values();
  return first
    ? { added, problems: { ...first, fields: { ...first.fields, ...perFile(files, refusals) } } }
    : { added };
}

/** The problems of the pictures, each after the name of its file. */
function perFile(files: readonly StagedFile[], refusals: ReadonlyMap<StagedFile, FormProblems>) {
  const wrong = files.filter((file) => refusals.get(file)?.fields.image !== undefined);
  if (wrong.length === 0) return {};
  const lines = wrong.map((file, at) => (
    <>
      {file.name}: {refusals.get(file)!.fields.image}
      {at < wrong.length - 1 && <br />}
    </>
  ));
  return { image: lines };
}

const changeItem = (
  call: SettingsCall,
  resources: Resources,
  change: (tx: Tx, projectId: string) => Promise<void>,
): Promise<void> => changeProject(resources, call, "edit_details", (tx, { id }) => change(tx, id));

type ItemBody = Static<ReturnType<typeof formFields<"title" | "description" | "act">>>;

/** One form with several buttons. */
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

/** Without a title, the file name is used. */
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

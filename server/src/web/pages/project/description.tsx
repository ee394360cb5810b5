// The main page of a project: its description.
import { useTexts } from "#web/context/texts.js";
import { texts } from "#words/texts.js";

export const NoDescription = () => <p class="muted">{useTexts(texts.project.page).noDescription}</p>;

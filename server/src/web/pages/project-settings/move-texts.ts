// The words of moving a project into an organization and out of it.
import { defineTexts } from "#web/texts.js";

export const moveTexts = defineTexts({
  en: {
    title: "Move to an organization",
    lead: "From then on the members of the organization work on the project. Its own team is emptied.",
    choose: "Organization",
    show: "Show what would change",
    none: "You are in no organization that you may add projects to",
    noneText: "You can found one.",
    found: "Found an organization",
    changes: "Who may do what",
    member: "Member",
    before: "Now",
    after: "Afterwards",
    everything: "everything (owner)",
    nothing: "nothing",
    noMember: "not a member",
    button: "Move the project",
    outTitle: "Take out of the organization",
    outText: (owner: string) =>
      `The project goes to ${owner}, who owns the organization, as its only member. The other members of the organization lose their rights in it.`,
    outButton: "Take it out",
    wrongWord: "This is not the project's address",
  },
  de: {
    title: "In eine Organisation verschieben",
    lead: "Danach arbeiten die Mitglieder der Organisation an dem Projekt. Sein eigenes Team wird geleert.",
    choose: "Organisation",
    show: "Zeigen, was sich ändert",
    none: "Du bist in keiner Organisation, in die du Projekte bringen darfst",
    noneText: "Du kannst eine gründen.",
    found: "Organisation gründen",
    changes: "Wer darf was",
    member: "Mitglied",
    before: "Jetzt",
    after: "Danach",
    everything: "alles (Inhaber)",
    nothing: "nichts",
    noMember: "kein Mitglied",
    button: "Projekt verschieben",
    outTitle: "Aus der Organisation herausnehmen",
    outText: (owner) =>
      `Das Projekt geht an ${owner}, wem die Organisation gehört, als einziges Mitglied. Die anderen Mitglieder der Organisation verlieren ihre Rechte daran.`,
    outButton: "Herausnehmen",
    wrongWord: "Das ist nicht die Adresse des Projekts",
  },
});

// The search for users. Moderators and administrators use the same list; administrators see email addresses too.
import Type from "typebox";
import { listAllUserIds } from "#discovery/search/named.js";
import { lengths } from "#lib/lengths.js";
import { type FoundPerson, searchPeople } from "#moderation/desk/people-search.js";
import type { UserRole } from "#platform/db/tables.js";
import type { Resources } from "#platform/http/resources.js";
import { useTexts } from "#web/context/texts.js";
import { Button, ButtonLink } from "#web/parts/button.js";
import { EmptyState } from "#web/parts/empty-state.js";
import { Form } from "#web/parts/form.js";
import { CheckboxField, SelectField } from "#web/parts/input-fields.js";
import { Time } from "#web/parts/time.js";
import { texts } from "#words/texts.js";

const pageSize = 50;

const roles: readonly UserRole[] = ["user", "moderator", "admin"];

export const peopleQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: lengths.email[1] })),
  role: Type.Optional(Type.String({ maxLength: 16 })),
  suspended: Type.Optional(Type.String({ maxLength: 8 })),
  page: Type.Optional(Type.String({ maxLength: 8 })),
});

interface PeopleQuery {
  q?: string;
  role?: string;
  suspended?: string;
  page?: string;
}

interface PeopleView {
  people: FoundPerson[];
  page: number;
  hasMore: boolean;
  query: PeopleQuery;
  isForAdmins: boolean;
}

export async function loadPeople(resources: Resources, query: PeopleQuery, isForAdmins: boolean): Promise<PeopleView> {
  const page = Math.min(10_000, Math.max(1, Math.trunc(Number(query.page)) || 1));
  const role = roles.find((each) => each === query.role);
  const text = query.q?.trim() ?? "";
  const found = await searchPeople(resources.db, {
    ...(text !== "" && { named: await listAllUserIds(resources, text) }),
    ...(isForAdmins && { email: text }),
    ...(role && { role }),
    suspended: query.suspended !== undefined,
    limit: pageSize + 1,
    offset: (page - 1) * pageSize,
  });
  return { people: found.slice(0, pageSize), page, hasMore: found.length > pageSize, query, isForAdmins };
}

export const People = ({ view, path }: { view: PeopleView; path: string }) => {
  const t = useTexts(texts.moderation.people);
  const { query, page, hasMore, people, isForAdmins } = view;
  const hrefOf = (to: number) => `${path}?${new URLSearchParams({ ...query, page: String(to) })}`;
  return (
    <>
      <Filters view={view} path={path} />
      {people.length === 0 ? (
        <EmptyState title={t.noUsers} action={{ href: path, text: t.clear }} />
      ) : (
        <div class="desk-table">
          <table>
            <thead>
              <tr>
                <th>{t.name}</th>
                {isForAdmins && <th>{t.email}</th>}
                <th>{t.role}</th>
                <th>{t.state}</th>
                <th>{t.joined}</th>
              </tr>
            </thead>
            <tbody>
              {people.map((person) => (
                <PersonRow key={person.id} person={person} isForAdmins={isForAdmins} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="actions">
        {page > 1 && (
          <ButtonLink kind="quiet" rel="prev" href={hrefOf(page - 1)}>
            ←
          </ButtonLink>
        )}
        {hasMore && (
          <ButtonLink kind="quiet" rel="next" href={hrefOf(page + 1)}>
            {t.more}
          </ButtonLink>
        )}
      </p>
    </>
  );
};

const Filters = ({ view: { query, isForAdmins }, path }: { view: PeopleView; path: string }) => {
  const t = useTexts(texts.moderation.people);
  const { all, roles: names } = useTexts(texts.moderation.desk);
  return (
    <Form method="get" class="desk-filters" action={path}>
      <div class="field">
        <label for="q">{isForAdmins ? t.searchAdmin : t.search}</label>
        <input type="search" id="q" name="q" value={query.q} maxlength={lengths.email[1]} dir="auto" />
      </div>
      <SelectField
        name="role"
        label={t.role}
        value={query.role}
        options={[{ value: "", text: all }, ...roles.map((role) => ({ value: role, text: names[role] }))]}
      />
      <CheckboxField name="suspended" label={t.suspendedOnly} checked={query.suspended !== undefined} />
      <Button kind="quiet">{t.find}</Button>
    </Form>
  );
};

const PersonRow = ({ person, isForAdmins }: { person: FoundPerson; isForAdmins: boolean }) => {
  const t = useTexts(texts.moderation.people);
  const { roles: names } = useTexts(texts.moderation.desk);
  return (
    <tr>
      <td>
        <a href={`/moderation/user/${person.user_name}`} dir="auto">
          {person.user_name}
        </a>
      </td>
      {isForAdmins && <td data-label={t.email}>{person.email}</td>}
      <td data-label={t.role}>{names[person.role]}</td>
      <td data-label={t.state}>
        {person.date_suspended === null ? t.active : <span class="pill alpha">✕ {t.suspended}</span>}
      </td>
      <td data-label={t.joined}>
        <Time at={person.date_joined} />
      </td>
    </tr>
  );
};

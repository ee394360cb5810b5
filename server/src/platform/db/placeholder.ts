// The user that content of deleted accounts belongs to.
export const placeholderId = "deleted_user";

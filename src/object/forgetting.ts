/**
 * A change of all time that begins here asks its object to forget what it knows and read everything: the database is of another
 * time, or the object of another layout, so the ids that it knows may belong to other names, users and contexts now.
 */
export const FORGETTING = -1

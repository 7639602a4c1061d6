import { byMatch } from '#kit/byMatch.ts'
import { type PersonLike, personName } from '#kit/UserAvatar.tsx'

/** A person who can be mentioned. */
export interface Mentionable extends PersonLike {
  id: number
  post?: string | null
}

const MAX_SHOWN = 8

/** People matching the letters after @: by the beginning of any word of the name, best match first. */
export function mentionable<P extends PersonLike>(people: readonly P[], query: string): P[] {
  const sought = query.trim().toLowerCase()
  const nameOf = (person: P) => person.fio || personName(person)
  const words = (person: P) =>
    nameOf(person)
      .toLowerCase()
      .split(/[\s.]+/)
  const begun = people.filter((person) => !sought || words(person).some((word) => word.startsWith(sought)))
  return byMatch(begun, sought, nameOf).slice(0, MAX_SHOWN)
}

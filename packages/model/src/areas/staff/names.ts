/** Title of a person without a name (spec §8). */
export const NO_NAME = 'Без имени'

export interface PersonName {
  surname?: string | null
  name?: string | null
  middleName?: string | null
}

const part = (value: string | null | undefined): string => value?.trim() ?? ''
const initial = (value: string): string => ([...value][0] ?? '').toLocaleUpperCase('ru')

/** «Иванова Анна Петровна» (spec §3). The same SQL is in the server's areas/staff/user.ts. */
export function fioOf(person: PersonName): string {
  return [person.surname, person.name, person.middleName].map(part).filter(Boolean).join(' ') || NO_NAME
}

/** «Иванова А. П.»; without a surname «Анна Петровна». */
export function shortFioOf(person: PersonName): string {
  const surname = part(person.surname)
  if (!surname) return fioOf(person)
  const initials = [person.name, person.middleName]
    .map(part)
    .filter(Boolean)
    .map((word) => `${initial(word)}.`)
  return [surname, ...initials].join(' ')
}

/** Initials for the avatar: of surname and name, else of other parts; '' without any. */
export function initialsOf(person: PersonName): string {
  return [person.surname, person.name, person.middleName].map(part).filter(Boolean).slice(0, 2).map(initial).join('')
}

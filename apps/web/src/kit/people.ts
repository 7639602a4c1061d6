import { type ComponentType, createContext, useContext } from 'react'

/** Where a name leads, and who is behind it. */
export interface WayToPerson {
  /** Address of the person's page: an inner one, or of another product. */
  addressOf(id: number): string
  /** What the tooltip of a name tells. */
  Facts: ComponentType<{ id: number }>
}

/** What the product knows of people beside their names; the kit itself knows nobody. */
export interface People {
  /** By the path of the entity whose records they are: of colleagues, of patients. */
  ways: Readonly<Record<string, WayToPerson>>
  /** Whether a colleague is in the net; undefined while it is not known. Asked for as long as the person is on the screen. */
  useOnline(id: number | undefined): boolean | undefined
}

const nobody: People = { ways: {}, useOnline: () => undefined }

export const PeopleContext = createContext<People>(nobody)
export const usePeople = (): People => useContext(PeopleContext)

/** Whether all of this stands in a link or a button already: a name in it leads nowhere by itself. */
export const InLinkContext = createContext(false)

import { type ComponentType, createContext, useContext } from 'react'

/** Link and tooltip of a person's name. */
export interface WayToPerson {
  /** Address of the person's page: internal, or of another product. */
  addressOf(id: number): string
  /** Content of the tooltip. */
  Facts: ComponentType<{ id: number }>
}

/** People data of the product beyond names; the kit has none of its own. */
export interface People {
  /** By the path of the person's entity: colleagues, patients. */
  ways: Readonly<Record<string, WayToPerson>>
  /** Whether a colleague is online; undefined while unknown. Requested while the person is on the screen. */
  useOnline(id: number | undefined): boolean | undefined
}

const nobody: People = { ways: {}, useOnline: () => undefined }

export const PeopleContext = createContext<People>(nobody)
export const usePeople = (): People => useContext(PeopleContext)

/** True inside a link or button: names are then not links. */
export const InLinkContext = createContext(false)

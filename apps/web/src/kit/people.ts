import { type ComponentType, createContext, useContext } from 'react'

/** What the product knows of people beside their names; the kit itself knows nobody. */
export interface People {
  /** Address of the person's page. */
  addressOf(id: number): string
  /** Whether the person is in the net; undefined while it is not known. Asked for as long as the person is on the screen. */
  useOnline(id: number | undefined): boolean | undefined
  /** What the tooltip of a name tells. */
  Facts: ComponentType<{ id: number }>
}

const nobody: People = { addressOf: () => '', useOnline: () => undefined, Facts: () => null }

export const PeopleContext = createContext<People>(nobody)
export const usePeople = (): People => useContext(PeopleContext)

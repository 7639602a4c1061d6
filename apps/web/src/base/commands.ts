import { useEffect, useRef } from 'react'

/** One line of the palette (Ctrl+K). */
export interface Command {
  id: string
  label: string
  /** Heading under which it stands, 'Действия' unless told. */
  group?: string
  /** Grey text after the label. */
  hint?: string
  /** Shown as keys; binding them is `useHotkey`. */
  keys?: string
  /** More words to find it by. */
  words?: string
  /** What people call it besides its label; as good as the label where one types it. */
  names?: string
  /** Stands only where it is typed, or was run before. */
  rare?: boolean
  run: () => void
}

const sets = new Set<{ current: readonly Command[] }>()

/** Adds commands to the palette while the component lives. */
export function useCommands(commands: readonly Command[]): void {
  const held = useRef(commands)
  held.current = commands
  useEffect(() => {
    sets.add(held)
    return () => void sets.delete(held)
  }, [])
}

export const listedCommands = (): Command[] => [...sets].flatMap((set) => set.current)

import { useEffect, useRef } from 'react'

/** A command of the palette (Ctrl+K). */
export interface Command {
  id: string
  label: string
  /** Heading of its group, default 'Действия'. */
  group?: string
  /** Path of the found record's entity; absent: not a record. */
  path?: string
  /** Grey text after the label. */
  hint?: string
  /** Displayed shortcut; bind it with `useHotkey`. */
  keys?: string
  /** More search words. */
  words?: string
  /** Alternative names, which match as well as the label. */
  names?: string
  /** Shown only when typed or used before. */
  rare?: boolean
  run: () => void
}

const sets = new Set<{ current: readonly Command[] }>()

/** Adds commands to the palette while the component is mounted. */
export function useCommands(commands: readonly Command[]): void {
  const held = useRef(commands)
  held.current = commands
  useEffect(() => {
    sets.add(held)
    return () => void sets.delete(held)
  }, [])
}

export const listedCommands = (): Command[] => [...sets].flatMap((set) => set.current)

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
  run: () => void
}

/** Looks records up for what was typed in the palette: people, tasks. Two characters at least. */
export interface PaletteSearch {
  group: string
  search: (text: string, signal: AbortSignal) => Promise<Command[]>
}

const sets = new Set<{ current: readonly Command[] }>()
const searches = new Set<PaletteSearch>()

/** Adds commands to the palette while the component lives. */
export function useCommands(commands: readonly Command[]): void {
  const held = useRef(commands)
  held.current = commands
  useEffect(() => {
    sets.add(held)
    return () => void sets.delete(held)
  }, [])
}

/** Adds a search of records to the palette; `source` is a constant of its area. The answer removes it. */
export function addPaletteSearch(source: PaletteSearch): () => void {
  searches.add(source)
  return () => void searches.delete(source)
}

export const commands = {
  list: (): Command[] => [...sets].flatMap((set) => set.current),
  searches: (): PaletteSearch[] => [...searches],
}

import { useSyncExternalStore } from 'react'
import { Block } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import classes from './Editor.module.css'

interface Props {
  label: string
  phrases: readonly string[]
  onPick: (phrase: string) => void
}

/** Phrases of a field: a click inserts one and keeps the focus in the text. */
export const Phrases = ({ label, phrases, onPick }: Props) => (
  <section className={classes.phrases} aria-label={`Словарь: ${label}`}>
    {phrases.map((phrase) => (
      <button
        key={phrase}
        type="button"
        className={classes.phrase}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onPick(phrase)}
      >
        {phrase}
      </button>
    ))}
  </section>
)

/** Appends a phrase to a text. */
export function withPhrase(text: string, phrase: string): string {
  const before = text.trimEnd()
  if (before === '') return phrase
  return /[.!?;,]$/.test(before) ? `${before} ${phrase}` : `${before}. ${phrase}`
}

/** The field with its dictionary on top. */
let shown: Props | undefined
const listeners = new Set<() => void>()
export function showOnTop(next: Props | undefined): void {
  shown = next
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Dictionary of the focused field, above the examination. */
export function TopDictionary() {
  const now = useSyncExternalStore(subscribe, () => shown)
  return (
    <Block framed p={8} className={classes.top} aria-live="polite">
      {now ? (
        <>
          <Fine>{now.label}</Fine>
          <Phrases {...now} />
        </>
      ) : (
        <Fine>Словарь: встаньте в поле с фразами, и они появятся здесь</Fine>
      )}
    </Block>
  )
}

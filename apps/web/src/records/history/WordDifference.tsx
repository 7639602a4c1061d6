import classes from './WordDifference.module.css'
import { wordDiff } from './wordDiff.ts'

/** Difference of two texts, word by word. */
export function WordDifference({ before, after }: { before: string; after: string }) {
  const parts = wordDiff(before, after)
  if (parts.every(({ kind }) => kind === 'same')) return <p className={classes.same}>Изменилось только оформление</p>
  return (
    <p className={classes.difference}>
      {parts.map(({ kind, text }, at) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name
        if (kind === 'added') return <ins key={at}>{text}</ins>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name
        if (kind === 'removed') return <del key={at}>{text}</del>
        return text
      })}
    </p>
  )
}

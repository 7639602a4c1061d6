import { Alert } from '@mantine/core'
import type { Leaving as Answer } from '@ordinator/model/areas/prompts/calls'
import type { Masked } from '@ordinator/model/areas/prompts/mask'
import { maskKinds } from '@ordinator/model/areas/prompts/maskPatterns'
import { counted } from '@ordinator/model/format'
import { IconShieldCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import classes from './Prompts.module.css'

/** Original text beside the text to send; masked values are marked on both sides. */
export function Leaving({ leaving }: { leaving: Answer }) {
  const { original, text, found, place, isReady, model } = leaving
  const kinds = [...new Set(found.map(({ kind }) => maskKinds[kind].toLowerCase()))]
  return (
    <VStack gap={12}>
      {!isReady && (
        <Alert color="yellow" variant="light" role="alert">
          {place}
        </Alert>
      )}
      <HStack wrap gap={6}>
        <IconShieldCheck size={18} aria-hidden color="var(--mantine-color-teal-6)" />
        <span>
          {found.length
            ? `Скрыто ${counted(found.length, ['место', 'места', 'мест'])}: ${kinds.join(', ')}`
            : 'Личных данных в тексте не найдено'}
        </span>
        {isReady && (
          <Fine>
            Уйдёт: {place}
            {model && `, модель ${model}`}
          </Fine>
        )}
      </HStack>
      <div className={classes.two}>
        <section aria-label="Как есть">
          <h3>Как есть</h3>
          <div className={classes.text}>{withMarks(original, found)}</div>
        </section>
        <section aria-label="Что уйдёт">
          <h3>Что уйдёт</h3>
          <div className={classes.text} data-leaves>
            {text.split(/(\[[\p{L} ]+ \d+\])/u).map((piece, at) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
              at % 2 ? <mark key={at}>{piece}</mark> : piece,
            )}
          </div>
        </section>
      </div>
    </VStack>
  )
}

function withMarks(text: string, found: readonly Masked[]): ReactNode[] {
  const out: ReactNode[] = []
  let at = 0
  for (const { from, to, mark, kind } of found) {
    out.push(
      text.slice(at, from),
      <mark key={from} title={`${maskKinds[kind]} → ${mark}`}>
        {text.slice(from, to)}
      </mark>,
    )
    at = to
  }
  return [...out, text.slice(at)]
}

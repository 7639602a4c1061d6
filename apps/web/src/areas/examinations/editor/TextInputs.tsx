import { Textarea } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import type { FormField } from '@ordinator/model/areas/examinations/form'
import { publishedView } from '@ordinator/model/areas/laboratory/access'
import { IconBook } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { InsertResults } from '#areas/laboratory/index.ts'
import { useActor, useUserSettings } from '#base/session.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { RichTextEditor } from '#records/fields/richTextPart.tsx'
import classes from './Editor.module.css'
import { escapeHtml } from './escapeHtml.ts'
import type { FieldProps } from './fieldProps.ts'
import { Phrases, showOnTop, withPhrase } from './Phrases.tsx'
import { useOpenDraft } from './useDraft.ts'

/** Inserts the patient's last test results into the field; undefined without access, or without a patient. */
function useTests({ label }: FormField, put: (lines: string[]) => void) {
  const idCustomer = useOpenDraft().customer()
  const may = allowed(useActor(), publishedView)
  if (!may || idCustomer === undefined) return undefined
  return (
    <span className={classes.tests}>
      <InsertResults idCustomer={idCustomer} label={label} onInsert={put} />
    </span>
  )
}

/** Placement of a field's phrases: at its button, on the first click, or above the examination. */
function useDictionary({ label, phrases = [] }: FormField, put: (phrase: string) => void) {
  const { openDictionaryOnClick, showDictionaryOnTopExamination } = useUserSettings().examinationDictionaries
  const [opened, setOpened] = useState(false)
  const has = phrases.length > 0
  const latest = useRef(put)
  latest.current = put
  useEffect(() => () => showOnTop(undefined), [])
  return {
    has,
    onFocus: () => {
      if (showDictionaryOnTopExamination && has)
        showOnTop({ label, phrases, onPick: (phrase) => latest.current(phrase) })
      else if (has && openDictionaryOnClick) setOpened(true)
    },
    button: has && !showDictionaryOnTopExamination && (
      <IconButton
        icon={IconBook}
        label={`Словарь: ${label}`}
        size={24}
        aria-expanded={opened}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setOpened(!opened)}
      />
    ),
    list: opened && !showDictionaryOnTopExamination && (
      <Phrases label={label} phrases={phrases} onPick={(phrase) => latest.current(phrase)} />
    ),
  }
}

export function TextField({ field, value, set, frame }: FieldProps) {
  const text = typeof value === 'string' ? value : ''
  const latest = useRef(text)
  latest.current = text
  const dictionary = useDictionary(field, (phrase) => set(withPhrase(text, phrase)))
  const tests = useTests(field, (lines) => set([latest.current.trimEnd(), ...lines].filter(Boolean).join('\n')))
  return (
    <div data-phrases={dictionary.has || undefined}>
      <Textarea
        {...frame}
        autosize
        minRows={2}
        maxRows={14}
        value={text}
        rightSection={
          dictionary.button || tests ? (
            <span className={classes.beside}>
              {dictionary.button}
              {tests}
            </span>
          ) : undefined
        }
        onFocus={dictionary.onFocus}
        onChange={(event) => set(event.currentTarget.value || null)}
      />
      {dictionary.list}
    </div>
  )
}

export function RichField({ field, value, set, frame }: FieldProps) {
  const html = typeof value === 'string' ? value : ''
  const latest = useRef(html)
  latest.current = html
  const paragraphs = (lines: readonly string[]) =>
    set(latest.current + lines.map((line) => `<p>${escapeHtml(line)}</p>`).join(''))
  const dictionary = useDictionary(field, (phrase) => paragraphs([phrase]))
  const tests = useTests(field, paragraphs)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the editor within has the focus; this only receives its events
    <div data-phrases={dictionary.has || undefined} onFocus={dictionary.onFocus}>
      <RichTextEditor
        {...frame}
        name={field.key}
        value={html}
        onChange={(next) => set(next)}
        controls={() => (
          <>
            {dictionary.button}
            {tests}
          </>
        )}
      />
      {dictionary.list}
    </div>
  )
}

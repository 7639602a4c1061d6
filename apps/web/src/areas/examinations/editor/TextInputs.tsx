import { Textarea } from '@mantine/core'
import type { FormField } from '@ordinator/model/areas/examinations/form'
import { IconBook } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useUserSettings } from '../../../base/session.ts'
import { IconButton } from '../../../kit/IconButton.tsx'
import { RichTextEditor } from '../../../records/fields/richTextPart.tsx'
import { escapeHtml } from './escapeHtml.ts'
import type { FieldProps } from './fieldProps.ts'
import { Phrases, showOnTop, withPhrase } from './Phrases.tsx'

/** Where the phrases of a field stand: by its button, at its first press, or over the examination. */
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
  const dictionary = useDictionary(field, (phrase) => set(withPhrase(text, phrase)))
  return (
    <div data-phrases={dictionary.has || undefined}>
      <Textarea
        {...frame}
        autosize
        minRows={2}
        maxRows={14}
        value={text}
        rightSection={dictionary.button || undefined}
        onFocus={dictionary.onFocus}
        onChange={(event) => set(event.currentTarget.value || null)}
      />
      {dictionary.list}
    </div>
  )
}

export function RichField({ field, value, set, frame }: FieldProps) {
  const html = typeof value === 'string' ? value : ''
  const dictionary = useDictionary(field, (phrase) => set(`${html}<p>${escapeHtml(phrase)}</p>`))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the editor within has the focus; this only hears of it
    <div data-phrases={dictionary.has || undefined} onFocus={dictionary.onFocus}>
      <RichTextEditor
        {...frame}
        name={field.key}
        value={html}
        onChange={(next) => set(next)}
        controls={() => dictionary.button}
      />
      {dictionary.list}
    </div>
  )
}

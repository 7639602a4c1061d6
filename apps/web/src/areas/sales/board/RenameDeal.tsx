import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'

const MAX_TITLE = 255

/** Renames a deal: Enter saves. */
export function RenameDeal({ title, onSave }: { title: string; onSave: (title: string) => void }) {
  const [text, setText] = useState(title)
  return (
    <form
      style={{ padding: 8 }}
      onSubmit={(event) => {
        event.preventDefault()
        onSave(text.trim())
      }}
    >
      <Textarea
        aria-label="Название сделки"
        data-autofocus
        autosize
        maxRows={6}
        maxLength={MAX_TITLE}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          onSave(text.trim())
        }}
      />
      <ActionButton label="Сохранить" type="submit" fullWidth mt={8} size="compact-md" disabled={!text.trim()} />
    </form>
  )
}

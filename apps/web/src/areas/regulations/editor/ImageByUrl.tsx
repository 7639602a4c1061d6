import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import type { StoredFile } from './stepUploads.ts'

const MAX_URL = 2_000

interface Props {
  onStored: (file: StoredFile) => void
  onClose: () => void
}

/** Asks for a picture's URL; the server downloads and stores it, so that it is never loaded from elsewhere. */
export function ImageByUrl({ onStored, onClose }: Props) {
  const [url, setUrl] = useState('')
  const address = url.trim()
  return (
    <ActionDialog
      title="Картинка по ссылке"
      size={480}
      action="Добавить"
      disabled={!address}
      faults={{
        url: !/^https?:\/\/\S+$/i.test(address) && 'Нужна ссылка, которая начинается с http:// или https://',
      }}
      stoppable
      run={async (signal) =>
        onStored(
          await api('POST /regulations/files/by-url', { body: { url: address } }, { signal, forbidden: 'toast' }),
        )
      }
      onClose={onClose}
    >
      {(errorOf) => (
        <TextInput
          label="Введите URL изображения"
          type="url"
          inputMode="url"
          placeholder="https://"
          maxLength={MAX_URL}
          value={url}
          error={errorOf('url')}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
      )}
    </ActionDialog>
  )
}

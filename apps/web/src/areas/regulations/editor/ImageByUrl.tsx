import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { ApiError, errorMessage } from '../../../base/apiError.ts'
import { http } from '../../../base/http.ts'
import { useReturnFocus } from '../../../kit/useReturnFocus.ts'
import type { StoredFile } from './stepUploads.ts'

const MAX_URL = 2_000

interface Props {
  onStored: (file: StoredFile) => void
  onClose: () => void
}

/** Asks for the address of a picture; the server fetches and keeps it, so that it is never shown from elsewhere. */
export function ImageByUrl({ onStored, onClose }: Props) {
  useReturnFocus()
  const [url, setUrl] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const stop = useRef(new AbortController())
  const close = () => {
    stop.current.abort()
    onClose()
  }
  const send = async () => {
    if (!/^https?:\/\/\S+$/i.test(url.trim()))
      return setError('Нужна ссылка, которая начинается с http:// или https://')
    setBusy(true)
    try {
      onStored(
        await http.post<StoredFile>(
          '/regulations/files/by-url',
          { url: url.trim() },
          { signal: stop.current.signal, forbidden: 'toast' },
        ),
      )
      onClose()
    } catch (failure) {
      if (stop.current.signal.aborted) return
      setError(failure instanceof ApiError ? (failure.byField.url ?? failure.message) : errorMessage(failure))
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={close} title="Картинка по ссылке" size={480} zIndex={300}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void send()
        }}
      >
        <TextInput
          label="Введите URL изображения"
          type="url"
          inputMode="url"
          placeholder="https://"
          data-autofocus
          maxLength={MAX_URL}
          value={url}
          error={error}
          onChange={(event) => {
            setUrl(event.currentTarget.value)
            setError(undefined)
          }}
        />
        <Group justify="flex-end" mt="md" gap={8}>
          <Button variant="default" onClick={close}>
            Отмена
          </Button>
          <Button type="submit" loading={busy} disabled={!url.trim()}>
            Добавить
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

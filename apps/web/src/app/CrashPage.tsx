import { Code, Group } from '@mantine/core'
import { IconPlugConnectedX, IconRefresh, IconWifiOff } from '@tabler/icons-react'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ChunkError, reloadOnce } from '#kit/chunk.ts'
import { StatePage } from '#kit/StatePage.tsx'

/** Shown when a screen crashes: the rest of the app stays usable. */
export function CrashPage({ error, reset }: Pick<ErrorComponentProps, 'error' | 'reset'>) {
  if (error instanceof ChunkError) return <MissingPart />
  return (
    <StatePage
      icon={IconPlugConnectedX}
      title="Не удалось показать страницу"
      text="Произошла ошибка. Повторите действие или обновите страницу; если ошибка повторяется, сообщите администратору."
      actions={
        <Group justify="center">
          <ActionButton label="Повторить" variant="default" onClick={reset} />
          <Reload />
        </Group>
      }
    >
      <Code>{errorMessage(error)}</Code>
    </StatePage>
  )
}

const ASK_EVERY_MS = 3_000

/** A chunk did not load: a new version has replaced it on the server, or the server cannot be reached. */
function MissingPart() {
  const [found, setFound] = useState<'away' | 'stale'>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let left = false
    // Without the server a reload would end in the browser's own error page.
    const ask = async (wasAway: boolean) => {
      clearTimeout(timer)
      const there = await fetch('/health', { cache: 'no-store' }).then(
        ({ ok }) => ok,
        () => false,
      )
      if (left) return
      if (!there) {
        setFound('away')
        timer = setTimeout(() => void ask(true), ASK_EVERY_MS)
      } else if (wasAway) location.reload()
      else if (!reloadOnce()) setFound('stale')
    }
    const onOnline = () => void ask(true)
    void ask(false)
    window.addEventListener('online', onOnline)
    return () => {
      left = true
      clearTimeout(timer)
      window.removeEventListener('online', onOnline)
    }
  }, [])
  if (!found) return null
  if (found === 'away')
    return (
      <StatePage
        icon={IconWifiOff}
        title="Нет подключения к Интернету"
        text="Проверьте подключение к Интернету. Страница откроется сама, как только сервер ответит."
      />
    )
  return (
    <StatePage
      icon={IconRefresh}
      title="Вышла новая версия, обновите страницу"
      text="Часть приложения не загрузилась. Обновление займёт несколько секунд."
      actions={<Reload />}
    />
  )
}

function Reload() {
  return <ActionButton label="Обновить страницу" icon={IconRefresh} onClick={() => location.reload()} />
}

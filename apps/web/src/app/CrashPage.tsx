import { Button, Code, Group } from '@mantine/core'
import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { StatePage } from '../kit/StatePage.tsx'
import { errorMessage } from './apiError.ts'
import { ChunkError } from './chunk.ts'

/** When a screen fails: the rest of the app stays usable. */
export function CrashPage({ error, reset }: Pick<ErrorComponentProps, 'error' | 'reset'>) {
  const stale = error instanceof ChunkError
  return (
    <StatePage
      icon={stale ? IconRefresh : IconPlugConnectedX}
      title={stale ? 'Вышла новая версия, обновите страницу' : 'Не удалось показать страницу'}
      text={
        stale
          ? 'Часть приложения не загрузилась. Обновление займёт несколько секунд.'
          : 'Произошла ошибка. Повторите действие или обновите страницу; если ошибка повторяется, сообщите администратору.'
      }
      actions={
        <Group justify="center">
          {!stale && (
            <Button variant="default" onClick={reset}>
              Повторить
            </Button>
          )}
          <Button leftSection={<IconRefresh size={18} />} onClick={() => location.reload()}>
            Обновить страницу
          </Button>
        </Group>
      }
    >
      {!stale && <Code>{errorMessage(error)}</Code>}
    </StatePage>
  )
}

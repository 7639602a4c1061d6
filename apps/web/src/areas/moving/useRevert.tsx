import { Alert, Anchor, List } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ApiError } from '#base/apiError.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useRefresh } from './movingCalls.ts'

interface Hold {
  words: string
  link: string | null
}

const holdsOf = (error: unknown): readonly Hold[] | undefined =>
  error instanceof ApiError && error.code === 'worked'
    ? (error.answer?.holds as readonly Hold[] | undefined)
    : undefined

/** Reverts a file or a move; `holds`: obstacles of the last try. */
export function useRevert<R>(run: () => Promise<R>) {
  const refresh = useRefresh()
  const revert = useMutation<R, Error, undefined>({
    mutationFn: run,
    onError: (error) => {
      if (!holdsOf(error)) notifyFailure(error)
    },
    onSettled: () => void refresh(),
  })
  return { revert, holds: holdsOf(revert.error) }
}

/** Obstacles of a revert, with links. */
export function Holds({ holds }: { holds: readonly Hold[] | undefined }) {
  if (!holds) return null
  return (
    <Alert color="yellow" variant="light" role="alert" title="Отменить пока нельзя: с загруженным уже работали">
      <List spacing={4}>
        {holds.map(({ words, link }) => (
          <List.Item key={words}>
            {link ? (
              <Anchor href={`/app${link}`} target="_blank">
                {words}
              </Anchor>
            ) : (
              words
            )}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

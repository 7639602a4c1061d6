import { Box, Button } from '@mantine/core'
import { IconArrowLeft, IconMessageOff } from '@tabler/icons-react'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { PrintMenu } from '#areas/prints/index.ts'
import { id as readId } from '#base/addressValues.ts'
import { useRecordTitle } from '#base/title.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { AppealCard } from './AppealCard.tsx'
import { useAppeal } from './useAppeal.ts'

const LIST = '/journal/appeals'

/** Обращение: the full page. */
export default function AppealPage() {
  const { id: text } = useParams({ strict: false }) as { id?: string }
  const id = readId(text)
  const navigate = useNavigate()
  const { data: appeal, isMissing, error, refetch } = useAppeal(id)
  useRecordTitle(appeal && `Обращение № ${appeal.id}`)
  if (id === undefined || isMissing)
    return (
      <EmptyState
        icon={IconMessageOff}
        title="Обращение не найдено"
        text="Возможно, его удалили."
        action={<Button renderRoot={(props) => <Link to={LIST} {...props} />}>К списку обращений</Button>}
      />
    )
  if (!appeal && error)
    return <ErrorState title="Обращение не загрузилось" error={error} onRetry={() => void refetch()} />
  return (
    <>
      <PageHead
        title={`Обращение № ${id}`}
        start={
          <IconButton
            icon={IconArrowLeft}
            label="К списку обращений"
            renderRoot={(props) => <Link to={LIST} {...props} />}
          />
        }
        actions={appeal && <PrintMenu entity="appeals" id={id as number} />}
      />
      <Box px="var(--ord-page)" pb="var(--ord-page)" maw={808}>
        {appeal ? (
          <AppealCard key={id} appeal={appeal} onRemoved={() => void navigate({ to: LIST })} />
        ) : (
          <LinesSkeleton lines={10} />
        )}
      </Box>
    </>
  )
}

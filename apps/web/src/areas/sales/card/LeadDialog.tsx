import { Button, Skeleton, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { IconCoin } from '@tabler/icons-react'
import { ApiError, errorMessage } from '../../../base/apiError.ts'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { Dialog } from '../../../kit/Dialog.tsx'
import classes from '../../../kit/openCard.module.css'
import { StatePage } from '../../../kit/StatePage.tsx'
import { useRecord } from '../../../records/reads.ts'
import { type FullLead, leadExpand } from './fullLead.ts'
import { OpenLead } from './OpenLead.tsx'

interface Props {
  idLead: number
  /** The open funnel: a deal that has not begun may begin in it. */
  idFunnel: number
  onClose: () => void
}

/** One deal over its board; the address holds which. */
export default function LeadDialog({ idLead, idFunnel, onClose }: Props) {
  const phone = useMediaQuery('(max-width: 48em)')
  const found = useRecord(Lead, idLead, { expand: leadExpand as never }, { forbidden: 'silent' })
  const lead = found.data as unknown as FullLead | undefined
  // What another has deleted stays readable in the cache: the refusal of the next reading is what counts.
  const gone = found.error instanceof ApiError && [403, 404].includes(found.error.status)
  return (
    <Dialog
      onClose={onClose}
      withCloseButton={false}
      size={1080}
      padding={0}
      fullScreen={phone}
      centered={false}
      yOffset="4dvh"
      returnFocus={false}
      classNames={{ content: classes.content, body: classes.body }}
      attributes={{ content: { 'aria-label': lead ? `Сделка «${lead.title}»` : 'Сделка' } }}
    >
      {lead && !gone ? (
        <OpenLead key={lead.id} lead={lead} idFunnel={lead.idFunnel ?? idFunnel} onClose={onClose} />
      ) : found.isPending ? (
        <Stack p="lg" aria-busy="true">
          <Skeleton height={28} width="60%" />
          <Skeleton height={10} />
          <Skeleton height={160} />
          <Skeleton height={32} width="40%" />
        </Stack>
      ) : (
        <Missing
          error={found.error}
          wasThere={lead !== undefined}
          onRetry={() => void found.refetch()}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

interface MissingProps {
  error: Error | null
  wasThere: boolean
  onRetry: () => void
  onClose: () => void
}

function Missing({ error, wasThere, onRetry, onClose }: MissingProps) {
  const close = <ActionButton label="Вернуться к сделкам" variant="light" onClick={onClose} />
  const status = error instanceof ApiError ? error.status : 0
  if (status === 403)
    return <StatePage size="block" icon={IconCoin} title="Нет доступа к сделке" text={error?.message} actions={close} />
  if (status === 404)
    return (
      <StatePage
        size="block"
        icon={IconCoin}
        title={wasThere ? 'Сделку удалили' : 'Сделка не найдена'}
        text={wasThere ? 'Её удалил другой сотрудник, пока она была открыта.' : 'Её удалили, или ссылка неверна.'}
        actions={close}
      />
    )
  return (
    <StatePage
      size="block"
      icon={IconCoin}
      title="Сделка не загрузилась"
      text={errorMessage(error)}
      actions={
        <>
          <Button onClick={onRetry}>Повторить</Button>
          {close}
        </>
      }
    />
  )
}

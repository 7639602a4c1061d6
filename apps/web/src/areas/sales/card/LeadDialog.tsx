import { Lead } from '@ordinator/model/areas/sales/lead'
import { IconCoin } from '@tabler/icons-react'
import { ApiError } from '#base/apiError.ts'
import { CardDialogFrame } from '#records/board/CardDialogFrame.tsx'
import { useRecord } from '#records/reads.ts'
import { type FullLead, leadExpand } from './fullLead.ts'
import { OpenLead } from './OpenLead.tsx'

interface Props {
  idLead: number
  /** The open funnel, in which a deal without a stage may start. */
  idFunnel: number
  onClose: () => void
}

/** The deal in the URL, over its board. */
export default function LeadDialog({ idLead, idFunnel, onClose }: Props) {
  const found = useRecord(Lead, idLead, { expand: leadExpand }, { forbidden: 'silent' })
  const lead: FullLead | undefined = found.data
  // A deleted record is still in the cache: the error of the last read decides.
  const gone = found.error instanceof ApiError && [403, 404].includes(found.error.status)
  return (
    <CardDialogFrame
      label={lead ? `Сделка «${lead.title}»` : 'Сделка'}
      size={1080}
      pending={found.isPending}
      missing={{
        error: found.error,
        icon: IconCoin,
        refused: 'Нет доступа к сделке',
        gone: lead
          ? { title: 'Сделку удалили', text: 'Её удалил другой сотрудник, пока она была открыта.' }
          : { title: 'Сделка не найдена', text: 'Её удалили, или ссылка неверна.' },
        failed: 'Сделка не загрузилась',
        back: 'Вернуться к сделкам',
        onRetry: () => void found.refetch(),
        onClose,
      }}
    >
      {lead && !gone && <OpenLead key={lead.id} lead={lead} idFunnel={lead.idFunnel ?? idFunnel} onClose={onClose} />}
    </CardDialogFrame>
  )
}

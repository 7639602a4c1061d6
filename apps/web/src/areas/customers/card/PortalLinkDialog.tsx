import { IconLink } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { CopyField } from '#kit/CopyField.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'

/** A sign-in link to the patients' room for one patient and one device: shown once. */
export function PortalLinkDialog({ idCustomer, onClose }: { idCustomer: number; onClose: () => void }) {
  const make = useMutation({
    mutationFn: () => api('POST /customers/:id/portal-link', { params: { id: idCustomer } }, { forbidden: 'silent' }),
  })
  return (
    <Dialog title="Личная ссылка в кабинет" size={520} onClose={onClose}>
      <VStack gap={12}>
        <p>
          По ссылке пациент войдёт в кабинет без кода. Пока он не назовёт свою дату рождения, ему видно только время
          визитов.
        </p>
        {make.isError && <ErrorState title="Ссылка не выдана" error={make.error} onRetry={() => make.mutate()} />}
        {make.data ? (
          <div role="status">
            <CopyField label="Личная ссылка" value={make.data.url} />
            <Muted>
              Скопируйте сейчас: второй раз она не показывается. Открыть её можно один раз, до{' '}
              {formatDateTime(make.data.dateExpires)}. Передайте её только самому пациенту.
            </Muted>
          </div>
        ) : (
          <Muted>Прежняя ссылка, если её ещё не открыли, перестанет действовать.</Muted>
        )}
        <HStack justify="end">
          {make.data ? (
            <ActionButton label="Готово" variant="default" onClick={onClose} />
          ) : (
            <ActionButton
              label="Выдать ссылку"
              icon={IconLink}
              loading={make.isPending}
              onClick={() => make.mutate()}
            />
          )}
        </HStack>
      </VStack>
    </Dialog>
  )
}

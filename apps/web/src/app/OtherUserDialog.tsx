import { Text } from '@mantine/core'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'

interface Props {
  name: string
  onCancel: () => void
  onLeave: () => void
}

/** The two systems have different users; stays until it is answered. */
export default function OtherUserDialog({ name, onCancel, onLeave }: Props) {
  return (
    <ActionDialog
      title="Выполнен вход под другой учётной записью"
      cancel={null}
      more={<ActionButton label="Отмена" variant="default" onClick={onCancel} />}
      action="Выйти"
      run={() => {
        onLeave()
        return false
      }}
      onClose={() => {}}
    >
      <Text>
        В другой системе клиники работает другой сотрудник, а здесь — {name}. Выйдите и войдите под нужной учётной
        записью, чтобы данные не попали не к тому человеку.
      </Text>
    </ActionDialog>
  )
}

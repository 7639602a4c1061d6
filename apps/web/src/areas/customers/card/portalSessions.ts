import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { notify } from '#kit/notify.tsx'

/** Signs the patient out on all devices, with a toast. */
export async function endPortalSessions(id: number): Promise<void> {
  try {
    const { sessions, links } = await api(
      'POST /customers/:id/portal-sign-out',
      { params: { id } },
      { forbidden: 'toast' },
    )
    notify.success(
      sessions + links === 0
        ? 'Открытых сеансов у пациента нет'
        : 'Сеансы пациента завершены, неоткрытые личные ссылки больше не действуют',
    )
  } catch (error) {
    notify.error(errorMessage(error), { title: 'Сеансы не завершены' })
  }
}

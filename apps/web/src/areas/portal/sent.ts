/** The address's data of a patient sent by a seller: `?book=12.5.3` (service, doctor, branch) and its mark. */
interface Sent {
  place?: { service: number; doctor: number; filial: number }
  /** Mark of the click (`ya_token` of Яндекс), to be confirmed with the booking. */
  click?: string
  /** Code of the patient who has invited this one. */
  friend?: string
}

function sentBy(search: string): Sent {
  const asked = new URLSearchParams(search)
  const found = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(asked.get('book') ?? '')
  const click = asked.get('ya_token') ?? ''
  const friend = asked.get('friend') ?? ''
  return {
    ...(/^[\dA-Za-z]{1,16}$/.test(friend) && { friend }),
    ...(found && { place: { service: Number(found[1]), doctor: Number(found[2]), filial: Number(found[3]) } }),
    ...(/^[\x21-\x7e]{1,500}$/.test(click) && { click }),
  }
}

/** Kept by the page: lost with it, as is the choice. */
export const sent = sentBy(location.search)

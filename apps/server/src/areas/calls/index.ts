import type { Area } from '#records/area.ts'
import { customer } from './callers.ts'
import { callChecks, callLegs, callRecords } from './calls.ts'
import { demo } from './demo.ts'
import { end, endMany } from './ends.ts'
import { incoming } from './incoming.ts'
import { peaks, record } from './recordings.ts'
import { cloudAdapters, cloudOperations, startCloud } from './telephony/cloud.ts'
import { resumeRecordings } from './telephony/cloudRecordings.ts'
import { originate, startTelephony, telephonyAdapters } from './telephony/index.ts'
import { telephonyToken, widgetLook, widgetOpen, widgetToken } from './widget.ts'
import { ready } from './wrap.ts'

export { endCall } from './ends.ts'
export { recordingOf } from './recordings.ts'
export { blockReader } from './telephony/ami.ts'
export { keepCall } from './telephony/keep.ts'
export { CallTracker, type TrackedCall } from './telephony/tracker.ts'
export { openWave, readWave, secondsOf, speechLike, type Wave } from './wav.ts'

/** Telephone calls. */
export const calls: Area = {
  name: 'calls',
  title: 'Звонки',
  records: [callRecords, callLegs, callChecks],
  operations: [
    record,
    peaks,
    customer,
    end,
    endMany,
    ready,
    originate,
    ...cloudOperations,
    incoming,
    telephonyToken,
    widgetToken,
    widgetOpen,
    widgetLook,
  ],
  adapters: async (app) => [...telephonyAdapters(app), ...(await cloudAdapters(app))],
  start(app) {
    startTelephony(app)
    startCloud(app)
  },
  settingsChanged: (_app, tx) => resumeRecordings(tx),
  demo,
}

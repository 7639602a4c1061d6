import { expect, it } from 'vitest'
import { smsReports } from './reports.ts'

it('reads which messages a report names, and none of what it does not understand', () => {
  expect(smsReports.smsc('id=42&phone=79161234567&status=1')).toEqual(['42'])
  expect(smsReports.smsc('id=1;drop')).toEqual([])
  const pack = new URLSearchParams([
    ['data[0]', 'sms_status\n000-1\n103'],
    ['data[1]', 'callcheck_status\n000-2\n401'],
    ['data[2]', 'sms_status\n000-3\n104'],
  ]).toString()
  expect(smsReports.smsru(pack)).toEqual(['000-1', '000-3'])
  expect(smsReports.smsaero('{"id":77,"status":1}')).toEqual(['77'])
  expect(smsReports.smsaero('id=78&status=1')).toEqual(['78'])
  expect(smsReports.smsaero('<html>')).toEqual([])
})

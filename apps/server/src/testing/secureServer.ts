/** A loopback server with an untrusted certificate. */
import { type Simulator, simulator } from './simulator.ts'

/** Key of clinic.test, generated only for tests. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1gC+yYqA28biilYi
+HIVKUCBxsFA8KGydbfxSvXfVmOhRANCAAQGK8rmAcEKpyE9J/6MrRIgnobN+1Ag
mF+zrm7L6o9XVdWFNZOM4kLq6GQaTe4oeTtbnqi/BCiVnNoIn9al7SGP
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBgjCCASegAwIBAgIURzVXeS4ZTi0Is4akGNCs+KI6L/QwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLY2xpbmljLnRlc3QwHhcNMjYxMTI1MTUyMDQ0WhcNMzYxMTIy
MTUyMDQ0WjAWMRQwEgYDVQQDDAtjbGluaWMudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABAYryuYBwQqnIT0n/oytEiCehs37UCCYX7Oubsvqj1dV1YU1k4zi
QuroZBpN7ih5O1ueqL8EKJWc2gif1qXtIY+jUzBRMB0GA1UdDgQWBBTGNbs7liqL
isLETi0zyiqrSUDA8TAfBgNVHSMEGDAWgBTGNbs7liqLisLETi0zyiqrSUDA8TAP
BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQD7ieY4DzTwsVDVeiFc
Ocx0jOfolGTvSDtVC+fdFcL/9QIhALPCnLHkjtS7YPrNSG+pbRgrJAgHJyMx0M2N
Onnb48as
-----END CERTIFICATE-----`
export const END = '2036-11-22T15:20:44.000Z'

export const startSecureServer = (): Promise<Simulator> =>
  simulator({ secure: { key, cert }, routes: (_request, reply) => reply.end() })

"""The test run itself: nothing leaves this machine."""

import socket

import pytest


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "example.com"])
def test_connecting_elsewhere_is_blocked(host: str) -> None:
    """A connection to another machine fails before a packet is sent."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with (
        socket.socket(family) as client,
        pytest.raises(RuntimeError, match="tests may not reach"),
    ):
        client.connect((host, 80))


def test_resolving_a_foreign_name_is_blocked() -> None:
    """A name lookup of another machine fails before a packet is sent."""
    with pytest.raises(RuntimeError, match="tests may not resolve"):
        socket.getaddrinfo("example.com", 80)


def test_sending_a_datagram_elsewhere_is_blocked() -> None:
    """A datagram to another machine fails before it is sent."""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client,
        pytest.raises(RuntimeError, match="tests may not reach"),
    ):
        client.sendto(b"x", ("192.0.2.1", 9))


def test_the_loopback_stays_open() -> None:
    """A server on the loopback can be reached by address and by name."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        for host in ("127.0.0.1", "localhost"):
            with socket.create_connection((host, port), timeout=5) as client:
                assert client.getpeername()[1] == port

"""Whatever fits the schema, or just misses it, gets an answer that the schema describes."""

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from server_client import Client, serving

from taquin.server.app import make_app
from taquin.server.limits import limits_for

schema = schemathesis.openapi.from_dict(make_app(limits_for(strict=False)).api.openapi())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    home = tmp_path_factory.mktemp("home")
    with serving(home, "--time", "0.2", "--cells", "36") as client:
        yield client


@schema.parametrize()
@settings(
    max_examples=20,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
def test_every_answer_is_in_the_schema(case: schemathesis.Case, server: Client) -> None:
    response = case.call(base_url=server.url)
    if response.status_code == 413:
        assert "bytes" in response.json()["error"]
    else:
        # Any text fits the schema, but not any text is a board.
        case.validate_response(response, excluded_checks=[positive_data_acceptance])
